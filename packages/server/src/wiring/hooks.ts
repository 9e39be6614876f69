/** A question that a feature asks the features below it. Each answers by `add` in its `feature.ts`, so the answers stand in the
 * order of `features/all.ts`. The array stays the same one: whoever asks may keep it. */
export type Hook<Answer> = { readonly answers: readonly Answer[]; add(answer: Answer): void };

export const createHook = <Answer>(): Hook<Answer> => {
  const answers: Answer[] = [];
  return { answers, add: (answer) => void answers.push(answer) };
};

/** A question that exactly one feature answers. */
export type SingleHook<Answer> = { readonly answer: Answer; set(answer: Answer): void };

/** `unanswered` stands in until the feature sets its answer. */
export const createSingleHook = <Answer>(unanswered: Answer): SingleHook<Answer> => {
  let current = unanswered;
  return {
    get answer() {
      return current;
    },
    set(answer) {
      if (current !== unanswered) throw new Error('Two features answer a hook that takes one answer');
      current = answer;
    },
  };
};
