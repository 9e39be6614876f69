/** The findings of one check. No problems and no `skipped` means it passed; `note` is shown beside its name. */
export type Outcome = { problems: string[]; note?: string; skipped?: string };

export type Check = { name: string; run: (root: string) => Promise<Outcome> };
