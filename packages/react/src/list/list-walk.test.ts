import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSimulatedList, driftOf, type Read, readIn, simulatedRows } from './simulated-list.ts';

const half = 0.5 + 1e-6;
const pick = fc.nat(10_000);
const height = fc.integer({ min: 10, max: 400 });
const named = <T extends string, R extends object>(type: T, rest: fc.Arbitrary<R>) =>
  rest.map((values) => ({ type, ...values }));
const steps = fc.oneof(
  named('prepend', fc.record({ count: fc.integer({ min: 1, max: 30 }) })),
  named('append', fc.record({ count: fc.integer({ min: 1, max: 4 }) })),
  named('remove', fc.record({ pick })),
  named('edit', fc.record({ pick, height })),
  named('grow', fc.record({ pick, height })),
  named('reflow', fc.record({ percent: fc.integer({ min: 60, max: 160 }) })),
  named('resize', fc.record({ px: fc.integer({ min: 250, max: 900 }) })),
  named('jump', fc.record({ pick })),
  named('scroll', fc.record({ by: fc.integer({ min: -900, max: 900 }) })),
  named('scroll', fc.record({ by: fc.constantFrom(-1e9, 1e9) })),
);
type RandomStep = typeof steps extends fc.Arbitrary<infer Step> ? Step : never;

/** Rows may change before the event of the last scroll has come; all else happens after it. */
const isEarly = ({ type }: RandomStep) => type === 'prepend' || type === 'append' || type === 'edit';

const createWalk = () => {
  const list = createSimulatedList();
  list.show(simulatedRows(0, 60));
  let [first, next] = [0, 60];
  let read: Read | undefined = 'end';
  let isNoticed = true;
  let wasAtEnd = true;
  /** A reader who stops up to 2 px before the end is taken for one at the end. */
  let leftByReader = 0;

  const keyAt = (at: number) => list.rows()[at % list.rows().length]?.key ?? '';
  const drawnAt = (at: number) => list.measure()[at % list.measure().length]?.key ?? '';
  const isRead = (key: string) => read !== 'end' && read?.key === key;
  const act = (step: RandomStep) => {
    switch (step.type) {
      case 'prepend':
        first -= step.count;
        list.show([...simulatedRows(first, step.count), ...list.rows()]);
        break;
      case 'append':
        list.show([...list.rows(), ...simulatedRows(next, step.count)]);
        next += step.count;
        break;
      case 'remove': {
        const key = keyAt(step.pick);
        list.show(list.rows().filter((row) => row.key !== key || isRead(key)));
        break;
      }
      case 'edit': {
        const edited = { key: drawnAt(step.pick), height: step.height + 0.4 };
        list.show(list.rows().map((row) => (row.key === edited.key ? edited : row)));
        break;
      }
      case 'grow': {
        const key = drawnAt(step.pick);
        list.grow((row) => (row.key === key ? step.height + 0.7 : row.height));
        break;
      }
      case 'reflow':
        list.grow((row) => Math.max(8, (row.height * step.percent) / 100));
        break;
      case 'resize':
        list.resize(step.px);
        break;
      case 'jump':
        list.jump(keyAt(step.pick));
        break;
      case 'scroll':
        list.scroll(step.by);
    }
  };

  const isInView = (key: string) =>
    list.measure().some((row) => row.key === key && row.bottom > 1 && row.top < list.viewport());
  const isAtEnd = () => list.leftBelow() === 0;
  const look = (target: string, within = half) => {
    read = readIn(list, target, 0);
    leftByReader = 0;
    wasAtEnd = isAtEnd();
    const state = list.state();
    // A browser scrolls by whole pixels, so a row may be up to half of one beside its place.
    if (read !== undefined && read !== 'end' && state.status === 'holding' && state.key === read.key) {
      expect(Math.abs(read.top - state.offset)).toBeLessThanOrEqual(within);
      read.top = state.offset;
    }
  };
  /** At an edge of the content no list could hold the place. Rows that are drawn after it was reached round it by a pixel. */
  const isClamped = (drift: number) =>
    read !== 'end' && Math.abs(drift) > half && (drift > 0 ? list.leftBelow() <= 1 : list.scrollTop() === 0);
  /** The distance that the row that is read has moved without a move of the reader. */
  const check = (): number => {
    let drift = read === undefined ? 0 : driftOf(list, read);
    if (read === 'end') drift = Math.max(0, drift - leftByReader);
    if (isAtEnd()) leftByReader = 0;
    // A reader who read on until nothing was left below is at the end as well.
    if (Math.abs(drift) > 0.5 && wasAtEnd && isAtEnd()) {
      read = 'end';
      drift = 0;
    }
    if (isClamped(drift)) {
      const state = list.state();
      const isHeld = read !== 'end' && state.status === 'holding' && state.key === read?.key;
      // The row that a reader goes on with is known only where the list holds the one they read.
      // At an edge the list keeps a place that is a pixel away.
      if (isHeld) look(state.key, 1 + 1e-6);
      else read = state.status === 'following' ? 'end' : undefined;
      drift = 0;
    }
    // A view that got smaller, or a row that got shorter, leaves the reader with another row.
    if (read !== undefined && read !== 'end' && !isInView(read.key)) read = readIn(list, undefined, 0);
    wasAtEnd = isAtEnd();
    return Math.abs(drift);
  };
  const notice = (): number => {
    if (isNoticed) return 0;
    isNoticed = true;
    list.scrollEvent();
    return check();
  };
  const move = (step: RandomStep) => {
    const before = list.scrollTop();
    act(step);
    const by = list.scrollTop() - before;
    // The list takes a pixel for rounding, and no reader moves by one.
    if (Math.abs(by) <= 1) return list.scroll(-by);
    isNoticed = false;
    read = readIn(list);
    wasAtEnd = isAtEnd();
    leftByReader = list.leftBelow();
  };

  /** The distance that the row that is read has moved by anything but the reader. */
  const run = (step: RandomStep): number => {
    const late = isEarly(step) ? 0 : notice();
    if (step.type === 'jump') {
      const key = keyAt(step.pick);
      act(step);
      look(key);
      return late;
    }
    if (step.type === 'scroll') {
      move(step);
      return late;
    }
    act(step);
    return Math.max(late, check());
  };
  return { list, run };
};

test('M3 over random steps the row that is read never moves by more than half a pixel', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 5, maxLength: 60 }), (sequence) => {
      const { run } = createWalk();
      for (const step of sequence) expect(run(step)).toBeLessThanOrEqual(half);
    }),
    { numRuns: 400 },
  );
});
