/** How many cases of each mutator came to which answer. */
export class Tally {
  cases = 0;
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param mutators of the case, which is counted under each of them */
  add(mutators: readonly string[], label: string): void {
    this.cases += 1;
    const names = mutators.length > 0 ? mutators : ["(as it was made)"];
    for (const name of new Set([...names, "all"])) {
      const own = this.#counts.get(name) ?? new Map<string, number>();
      own.set(label, (own.get(label) ?? 0) + 1);
      this.#counts.set(name, own);
    }
  }

  /** By mutator and by label. */
  toJSON(): Record<string, Record<string, number>> {
    const rows = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(rows.map(([name, own]) => [name, Object.fromEntries(own)]));
  }

  /** Lines of a table. */
  toString(): string {
    const labels = [...(this.#counts.get("all") ?? new Map<string, number>()).keys()].toSorted();
    const width = Math.max(...[...this.#counts.keys()].map((name) => name.length), 0);
    const row = (name: string, cells: readonly (string | number)[]) =>
      name.padEnd(width) +
      cells.map((cell, index) => String(cell).padStart((labels[index]?.length ?? 0) < 7 ? 9 : 13)).join("");
    const rows = Object.entries(this.toJSON()).map(([name, own]) =>
      row(
        name,
        labels.map((label) => own[label] ?? ""),
      ),
    );
    return [row("", labels), ...rows].join("\n");
  }
}
