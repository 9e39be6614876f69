import type { ReactNode } from 'react';
import { Boundary } from './boundary.tsx';

/** A component that draws nothing of its own: it passes a value to `draw`, so that it can use hooks to find it. */
export type Giver<Input, Value> = (props: { of: Input; draw: (value: Value) => ReactNode }) => ReactNode;

/** The giver that finds its value by a hook. */
export const giver = <Input, Value>(useValue: (of: Input) => Value): Giver<Input, Value> =>
  function Gives({ of, draw }) {
    return draw(useValue(of));
  };

export type CollectProps<Input, Value> = {
  from: readonly Giver<Input, Value>[];
  of: Input;
  /** The subject of the values: for another one, a giver that threw is asked again. */
  subject: unknown;
  draw: (values: readonly Value[]) => ReactNode;
};

/** Draws with the values of several givers, in their order. One that throws is left out, and the others stay. */
export function Collect<Input, Value>(props: CollectProps<Input, Value>): ReactNode {
  const { from, of, subject, draw } = props;
  const [First, ...others] = from;
  if (First === undefined) return draw([]);
  const go = (own: readonly Value[]) => (
    <Collect from={others} of={of} subject={subject} draw={(values) => draw([...own, ...values])} />
  );
  return (
    <Boundary of={subject} fallback={go([])}>
      <First of={of} draw={(value) => go([value])} />
    </Boundary>
  );
}
