// A bot for carcassonne in JavaScript: any legal move. Run with `node bot.js`.
const lines = require("readline").createInterface({ input: process.stdin });
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

let seed = 1;
const random = (n) => {
  seed = (seed * 48271) % 2147483647; // the same seed, the same moves
  return seed % n;
};

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ name: "any.js", version: "1.0" });
  else if (message.type === "new_game") seed = (message.seed % 2147483646) + 1;
  else if (message.type === "decide") say({ move: message.moves[random(message.moves.length)] });
  else if (message.type === "quit") process.exit(0);
});
