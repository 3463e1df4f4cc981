"""Files of the community's programs: read into ours, refused by name where we lack something."""
