/** Port: files the agent can open with its own tools, for texts that are too long for it. Bounded by whoever keeps them. */
export interface ResultFiles {
  /**
   * Keeps a text under a new name made of the given one (`[A-Za-z0-9_-]`), and gives the path that `read_file` takes;
   * `undefined` if it cannot be kept. Never rejects.
   */
  write(name: string, text: string): Promise<string | undefined>;
}
