"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const { steps, players, auctions } = data;
const last = steps.length - 1;
const SVG = "http://www.w3.org/2000/svg";
const find = (id) => document.getElementById(id);
const board = find("board");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* ---------------------------------------------------------------- small helpers */

/** Make an element: attributes by name, `on…` as listeners, children as nodes or plain text. */
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "use", "g", "rect", "text"].includes(tag);
  const node = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

const picture = (key, box, name = "") => make(
  "svg", { viewBox: box, ...(name ? { role: "img", "aria-label": name } : { "aria-hidden": true }) },
  make("use", { href: `#${key}` }),
);

function thumb(tile) {
  const node = picture(data.tiles[tile], "0 0 100 100", tile);
  node.classList.add("thumb");
  const title = document.createElementNS(SVG, "title");
  title.textContent = tile;
  node.prepend(title);
  return node;
}

const dot = (seat) => make(
  "span", { class: `dot p${seat}`, title: players[seat].name, "aria-hidden": true },
  players[seat].letter,
);
const signed = (points) => (points < 0 ? `−${-points}` : `+${points}`);
const turnOf = (number) => steps[number].turn;

/** Text in which every rule id becomes a button that says what the rule is. */
function withRules(text) {
  return text.split(/(R-[A-Z]+-\d+)/).map((piece) =>
    (data.rules[piece] ? make("button", { type: "button", class: "rule", "data-rule": piece }, piece)
      : piece));
}

/* ---------------------------------------------------------------- rules */

const tip = find("tip");
let tipped = null;

function showTip(button) {
  tipped = button;
  tip.replaceChildren(make("strong", {}, button.dataset.rule), ` ${data.rules[button.dataset.rule]}`);
  tip.hidden = false;
  button.setAttribute("aria-describedby", "tip");
  const at = button.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const below = at.bottom + 6 + own.height < innerHeight;
  tip.style.left = `${Math.max(10, Math.min(at.left, innerWidth - own.width - 10))}px`;
  tip.style.top = `${below ? at.bottom + 6 : Math.max(10, at.top - own.height - 6)}px`;
}

function hideTip() {
  tipped = null;
  tip.hidden = true;
}

const ruleOf = (event) => event.target.closest?.(".rule");
for (const kind of ["pointerover", "focusin", "click"]) {
  document.addEventListener(kind, (event) => {
    const button = ruleOf(event);
    if (button) showTip(button);
    else if (kind === "click") hideTip();
  });
}
for (const kind of ["pointerout", "focusout"]) {
  document.addEventListener(kind, (event) => {
    if (ruleOf(event) && !(kind === "pointerout" && event.pointerType === "touch")) hideTip();
  });
}

/* ---------------------------------------------------------------- the board */

const things = [...board.querySelectorAll("[data-from]")].map((node) => ({
  node,
  from: Number(node.dataset.from),
  to: Number(node.dataset.to),
  shown: !node.classList.contains("off"),
}));
const frame = find("frame");
const ring = find("ring");
const spot = find("spot");
const pops = find("pops");
const rim = find("rim");
let fresh = [];

function lay(number, animated) {
  for (const node of fresh) node.classList.remove("new");
  fresh = [];
  for (const thing of things) {
    const shown = thing.from <= number && number < thing.to;
    if (shown === thing.shown) continue;
    thing.shown = shown;
    thing.node.classList.toggle("off", !shown);
    if (shown && animated) fresh.push(thing.node);
  }
  for (const node of fresh) node.classList.add("new");
  const step = steps[number];
  frame.classList.toggle("off", !step.frame);
  if (step.frame) {
    const [x, y] = step.frame;
    frame.setAttribute("d", `M${100 * x + 2} ${100 * y + 2}h96v96h-96z`);
  }
  place(ring, step.ring);
  place(spot, null);
  popUp(step.events);
}

function place(circle, point) {
  circle.classList.toggle("off", !point);
  if (point) {
    circle.setAttribute("cx", point[0]);
    circle.setAttribute("cy", point[1]);
  }
}

/** Points that were just made, where they were made. */
function popUp(events) {
  const taken = [];
  const found = [];
  for (const event of events) {
    if (event.kind !== "Score" || !event.at || !event.points) continue;
    const text = `${players[event.player].letter} ${signed(event.points)}`;
    const wide = 16 + 11 * text.length;
    const x = event.at[0];
    let y = event.at[1] - 36;
    const clash = (one) => Math.abs(one.x - x) < (one.wide + wide) / 2 && Math.abs(one.y - y) < 32;
    while (taken.some(clash)) y -= 33;
    taken.push({ x, y, wide });
    found.push(make(
      "g", { class: `pop p${event.player}` },
      make("rect", { x: x - wide / 2, y: y - 15, width: wide, height: 30, rx: 15 }),
      make("text", { x, y: y + 1 }, text),
    ));
  }
  pops.replaceChildren(...found);
}

/* the part of the table that is seen: it grows with the board until somebody moves it */
let view = { x: 0, y: 0, w: 1, h: 1 };
let followed = true;
let seen = "";

function setView(next) {
  view = next;
  board.setAttribute("viewBox", [view.x, view.y, view.w, view.h].map((n) => n.toFixed(1)).join(" "));
}

const LEGIBLE = 2.4; // units to a pixel beyond which coordinates are too small to be read

function fitted(box) {
  const [left, top, right, bottom] = box;
  const w = Math.max(100 * (right - left + 1), 500);
  const h = Math.max(100 * (bottom - top + 1), 400);
  const [x, y] = [50 * (left + right + 1), 50 * (top + bottom + 1)];
  const rimmed = Math.max(w / board.clientWidth, h / board.clientHeight) < LEGIBLE;
  const margin = rimmed ? 60 : 12;
  rim.classList.toggle("off", !rimmed);
  return { x: x - w / 2 - margin, y: y - h / 2 - margin, w: w + 2 * margin, h: h + 2 * margin };
}

function follow(box) {
  if (box.join() !== seen) {
    seen = box.join();
    labelRim(box);
    if (followed) setView(fitted(box));
  }
}

function labelRim([left, top, right, bottom]) {
  const labels = [];
  for (let x = left; x <= right; x += 1) {
    for (const y of [top - 0.2, bottom + 1.2]) labels.push([x, 100 * x + 50, 100 * y]);
  }
  for (let y = top; y <= bottom; y += 1) {
    for (const x of [left - 0.2, right + 1.2]) labels.push([y, 100 * x, 100 * y + 50]);
  }
  rim.replaceChildren(...labels.map(([text, x, y]) => make("text", { x, y }, String(text))));
}

/** How many units of the picture a pixel is, and where a point of the screen lies on the table. */
function onTable(clientX, clientY) {
  const area = board.getBoundingClientRect();
  const unit = Math.max(view.w / area.width, view.h / area.height);
  return {
    unit,
    x: view.x + view.w / 2 + (clientX - area.left - area.width / 2) * unit,
    y: view.y + view.h / 2 + (clientY - area.top - area.height / 2) * unit,
  };
}

function zoom(factor, clientX, clientY) {
  const area = board.getBoundingClientRect();
  const at = onTable(clientX ?? area.left + area.width / 2, clientY ?? area.top + area.height / 2);
  const w = Math.min(Math.max(view.w * factor, 150), 12000);
  const k = w / view.w;
  followed = false;
  setView({ x: at.x - (at.x - view.x) * k, y: at.y - (at.y - view.y) * k, w, h: view.h * k });
}

function fit() {
  followed = true;
  setView(fitted(steps[at].box));
}

const fingers = new Map();
board.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  board.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, event);
  board.classList.add("held");
});
board.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
  fingers.set(event.pointerId, event);
  if (other) {
    const span = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY) || 1;
    zoom(span(before) / span(event), other.clientX, other.clientY);
  } else {
    const { unit } = onTable(0, 0);
    followed = false;
    setView({
      ...view,
      x: view.x - (event.clientX - before.clientX) * unit,
      y: view.y - (event.clientY - before.clientY) * unit,
    });
  }
});
for (const kind of ["pointerup", "pointercancel"]) {
  board.addEventListener(kind, (event) => {
    fingers.delete(event.pointerId);
    if (!fingers.size) board.classList.remove("held");
  });
}
board.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 250), event.clientX, event.clientY);
}, { passive: false });
new ResizeObserver(() => {
  if (followed && at >= 0) fit();
}).observe(board);
board.addEventListener("dblclick", (event) => zoom(0.6, event.clientX, event.clientY));

/* ---------------------------------------------------------------- players and scores */

const PIECES = ["meeples", "bridges", "castles"];
const cards = players.map((player, seat) => {
  const counts = PIECES.map(() => make("span"));
  const pictures = [
    picture(player.meeple, "-16 -16 32 32"),
    picture(data.bridge, "-52 -60 104 104"),
    picture(player.castle, "-48 -48 96 96"),
  ];
  const points = make("span", { class: "points" });
  const supply = make(
    "span", { class: "supply" },
    ...counts.map((count, i) => (i && !data.expansion ? null
      : make("span", { title: `${PIECES[i]} left` }, pictures[i], count))),
  );
  const who = picture(player.meeple, "-16 -16 32 32");
  who.classList.add("who");
  const letters = [...player.name];
  const end = letters.splice(Math.max(1, letters.length - 2)).join("");
  const name = make(
    "span", { class: "name", title: player.name },
    make("span", { class: "most" }, letters.join("")), make("span", { class: "end" }, end),
  );
  const card = make("li", { class: `card p${seat}`, "data-seat": seat }, who, name, points, supply);
  return { card, points, counts };
});
find("players").replaceChildren(...cards.map(({ card }) => card));

const [low, high] = data.scale;
const dots = players.map((_, seat) => dot(seat));
find("dots").replaceChildren(...dots);

function count(step) {
  cards.forEach(({ card, points, counts }, seat) => {
    points.textContent = step.scores[seat];
    counts.forEach((node, i) => { node.textContent = step.supply[seat][i]; });
    card.classList.toggle("open", step.decision?.player === seat);
    card.classList.toggle("won", !step.decision && data.winners.includes(players[seat].name));
    dots[seat].style.top = `${(100 * (high - step.scores[seat])) / (high - low)}%`;
  });
  const across = `${last ? (100 * at) / last : 0}%`;
  for (const node of [find("cursor"), ...dots]) node.style.left = across;
}

const chart = find("chart");
function jumpOnChart(event) {
  const area = chart.getBoundingClientRect();
  show(Math.round(((event.clientX - area.left) / area.width) * last));
}
chart.addEventListener("pointerdown", (event) => {
  pause();
  chart.setPointerCapture(event.pointerId);
  jumpOnChart(event);
});
chart.addEventListener("pointermove", (event) => {
  if (chart.hasPointerCapture(event.pointerId)) jumpOnChart(event);
});

/* ---------------------------------------------------------------- in words */

function told(event) {
  const pointed = event.at ? {
    onpointerenter: () => place(spot, event.at),
    onpointerleave: () => place(spot, null),
  } : {};
  if (event.kind !== "Score") {
    const minor = ["TileDrawn", "MeepleReturned", "FeatureCompleted"].includes(event.kind);
    return make("li", { class: minor ? "minor" : "", ...pointed }, ...withRules(event.text));
  }
  const points = event.points || 0;
  const gain = points < 0 ? "loss" : "gain";
  const named = event.items?.some((item) => item.rule === event.rule);
  return make(
    "li", { class: "score", ...pointed },
    dot(event.player), " ", make("b", { class: gain }, signed(points)),
    ` ${players[event.player].name}, now ${event.total || 0}: ${event.text} `,
    ...(named ? [] : withRules(event.rule || "")),
    event.items ? make("ul", { class: "items" }, ...event.items.map((item) => make(
      "li", {}, make("span", {}, `${item.text} = ${item.points}`), ...withRules(item.rule),
    ))) : null,
  );
}

/** The moves of a turn up to a step, each with all that it brought about. */
function tell(number) {
  let from = number;
  while (from > 1 && turnOf(from - 1) === turnOf(number)) from -= 1;
  const parts = [];
  for (let i = from; i <= number; i += 1) {
    const step = steps[i];
    const list = [];
    for (const event of step.events) {
      if (event.final) list.push(make("li", { class: "final" }, "Final scoring"));
      list.push(told(event));
    }
    parts.push(make(
      "div", { class: `move${i === number ? " now" : ""}`, "data-step": i },
      make("h3", {}, ...(i ? [dot(step.player), ` ${step.move}`] : ["The start"])),
      make("ul", {}, ...list),
    ));
  }
  find("turn").replaceChildren(...parts);
}

let captioned = "";

function caption(step) {
  const who = step.player === undefined || step.player < 0 ? "" : players[step.player].name;
  const turn = step.turn ? `turn ${step.turn}` : "";
  find("where").replaceChildren(
    `Move ${at} of ${last}`,
    make("small", {}, ["", turn, who].filter((text, i) => !i || text).join(" · ")),
    make("small", { class: "left" }, ` · ${step.stack} in the stack`),
  );
  const open = find("open");
  const key = JSON.stringify([step.decision, step.offer, step.hands]);
  if (key === captioned) return; // pictures of tiles are dear
  captioned = key;
  const chips = [];
  if (step.decision) {
    chips.push(dot(step.decision.player));
    chips.push(make("span", {}, `${players[step.decision.player].name} ${step.decision.text}`));
    if (step.decision.tile) chips.push(thumb(step.decision.tile));
  } else if (data.winners.length) {
    chips.push(`The game is over: ${data.winners.join(" and ")} won`);
  }
  const offer = step.offer || [];
  if (offer.length) chips.push(make("span", {}, "on offer:"), ...offer.map(thumb));
  if (step.hands) chips.push(make("span", {}, "in hand:"));
  for (const [seat, tile] of step.hands || []) chips.push(dot(seat), thumb(tile));
  open.replaceChildren(...chips);
  open.hidden = !chips.length;
}

/* ---------------------------------------------------------------- auctions and all moves */

const jump = (number, kind, ...children) => make(
  "button", { type: "button", class: kind, "data-jump": number }, ...children,
);

function lotOf(lot) {
  const bids = lot.bids.map((bid) => jump(
    bid.step, bid.points === null ? "bid passed" : "bid",
    dot(bid.player), bid.points === null ? "passes" : String(bid.points),
  ));
  const node = make(
    "div", { class: "lot", "data-from": lot.step },
    lot.tile ? thumb(lot.tile) : make("span"),
    make(
      "div", {}, make("div", { class: "bids" }, ...bids),
      lot.text ? make(
        "div", {}, jump(lot.end, "jump", `${lot.tile}: ${lot.text}`), " ", ...withRules(lot.rule),
      ) : null,
    ),
  );
  return { node, from: lot.step, end: lot.end < 0 ? last : lot.end };
}

const bazaars = auctions.map((auction, i) => {
  const lots = auction.lots.map(lotOf);
  const opener = auction.player < 0 ? "" : `, opened by ${players[auction.player].name}`;
  const node = make(
    "section", { class: "bazaar" },
    jump(auction.step, "jump", `Bazaar ${i + 1}${opener}`),
    make("div", { class: "offer" }, ...auction.tiles.map(thumb)),
    ...lots.map((lot) => lot.node),
  );
  return { node, from: auction.step, lots };
});
find("auctions").replaceChildren(...(bazaars.length ? bazaars.map(({ node }) => node)
  : [make("p", { class: "minor" }, "No bazaar was opened in this game.")]));

const rows = steps.map((step, number) => {
  const begins = number && turnOf(number) !== turnOf(number - 1);
  const sums = new Map();
  for (const event of step.events) {
    if (event.kind === "Score") sums.set(event.player, (sums.get(event.player) || 0) + (event.points || 0));
  }
  return jump(
    number, `row${begins ? " begins" : ""}`,
    make("span", { class: "number" }, String(number)),
    number ? dot(step.player) : "",
    make("span", { class: "text" }, number ? step.move : "the start"),
    make("span", { class: "sums" }, ...[...sums].map(([seat, points]) => make(
      "b", { class: points < 0 ? "loss" : "gain" }, `${players[seat].letter} ${signed(points)} `,
    ))),
  );
});
find("moves").replaceChildren(...rows);
let current = rows[0];
let lotNow = null;
let scrolling = 0;

function mark(number) {
  current.classList.remove("now");
  current.removeAttribute("aria-current");
  current = rows[number];
  current.classList.add("now");
  current.setAttribute("aria-current", "step");
  for (const bazaar of bazaars) {
    bazaar.node.classList.toggle("ahead", bazaar.from > number);
    for (const lot of bazaar.lots) {
      lot.node.classList.toggle("ahead", lot.from > number);
      const now = lot.from <= number && number <= lot.end;
      lot.node.classList.toggle("now", now);
      if (now) lotNow = lot.node;
    }
  }
}

/** Bring into sight what is told of this step; once a frame, as it needs the layout. */
function scroll() {
  scrolling ||= requestAnimationFrame(() => {
    scrolling = 0;
    const now = find("turn").lastElementChild.getBoundingClientRect();
    find("turn").scrollTop += now.top - find("turn").getBoundingClientRect().top;
    bring(find("moves"), current);
    bring(find("auctions"), lotNow);
  });
}

/** Scroll a list, and nothing else, so that a row of it is in sight. */
function bring(list, row) {
  if (!row || !list.classList.contains("shown")) return;
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 20;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 20;
}

function openTab(name) {
  for (const button of document.querySelectorAll("[data-tab]")) {
    button.setAttribute("aria-pressed", button.dataset.tab === name);
    find(button.dataset.tab).classList.toggle("shown", button.dataset.tab === name);
  }
  scroll();
}

/* ---------------------------------------------------------------- stepping */

let at = -1;
let timer = 0;
let written = 0;

function show(number) {
  number = Math.max(0, Math.min(last, Number.isFinite(number) ? Math.trunc(number) : 0));
  if (number === at) return;
  const animated = number === at + 1 && !calm.matches;
  at = number;
  const step = steps[at];
  if (tipped) hideTip();
  lay(at, animated);
  follow(step.box);
  count(step);
  tell(at);
  caption(step);
  mark(at);
  scroll();
  const slider = find("slider");
  slider.value = at;
  slider.setAttribute("aria-valuetext", `move ${at} of ${last}`);
  for (const name of ["first", "turn-back", "back"]) able(name, at > 0);
  for (const name of ["on", "turn-on", "last"]) able(name, at < last);
  clearTimeout(written); // browsers count changes of the address, so quick steps write it once
  written = setTimeout(() => {
    if (location.hash !== `#${at}`) history.replaceState(null, "", `#${at}`);
  }, 200);
}

/** Buttons at the ends stay focusable, so that the keyboard doesn't lose its place. */
function able(name, possible) {
  document.querySelector(`#controls [data-do="${name}"]`).setAttribute("aria-disabled", !possible);
}

/** Where turns meet: a tile is to be placed, or nothing is to be decided any more. */
const between = (number) => number <= 0 || number >= last || steps[number].decision?.kind === "place";

function toTurn(way) {
  let number = at + way;
  while (!between(number)) number += way;
  show(number);
}

const playButton = document.querySelector('[data-do="play"]');

function pause() {
  clearInterval(timer);
  timer = 0;
  playButton.setAttribute("aria-pressed", "false");
  playButton.setAttribute("aria-label", "Play");
}

function play() {
  if (timer) {
    pause();
    return;
  }
  if (at === last) show(0);
  playButton.setAttribute("aria-pressed", "true");
  playButton.setAttribute("aria-label", "Pause");
  timer = setInterval(() => {
    show(at + 1);
    if (at === last) pause();
  }, 900);
}

const ACTIONS = {
  first: () => show(0),
  "turn-back": () => toTurn(-1),
  back: () => show(at - 1),
  play,
  on: () => show(at + 1),
  "turn-on": () => toTurn(1),
  last: () => show(last),
  in: () => zoom(0.7),
  out: () => zoom(1 / 0.7),
  fit,
};
const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", ArrowUp: "turn-back", ArrowDown: "turn-on",
  PageUp: "turn-back", PageDown: "turn-on", Home: "first", End: "last", " ": "play",
  "+": "in", "=": "in", "-": "out", f: "fit", F: "fit",
};

function act(name) {
  if (!["play", "in", "out", "fit"].includes(name)) pause();
  ACTIONS[name]();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.do) act(button.dataset.do);
  else if (button.dataset.tab) openTab(button.dataset.tab);
  else if (button.dataset.jump) {
    pause();
    show(Number(button.dataset.jump));
  }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape") hideTip();
  const name = KEYS[event.key];
  if (!name || (event.key === " " && event.target.closest("button"))) return;
  event.preventDefault();
  act(name);
});
find("slider").addEventListener("input", (event) => {
  pause();
  show(Number(event.target.value));
});
addEventListener("hashchange", () => {
  if (/^#\d+$/.test(location.hash)) show(Number(location.hash.slice(1)));
});

openTabAtFirst();
function openTabAtFirst() {
  find("turn").classList.add("shown");
  show(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : data.at);
}
})();
