import type { ReactNode } from 'react';
import { Boundary } from './boundary.tsx';

/** A component that draws nothing of its own: it passes a value to `draw`, so that it can use hooks to find it. */
export type Supplier<Input, Value> = (props: { of: Input; draw: (value: Value) => ReactNode }) => ReactNode;

/** The supplier that finds its value by a hook. */
export const supplier = <Input, Value>(useValue: (of: Input) => Value): Supplier<Input, Value> =>
  function Supplied({ of, draw }) {
    return draw(useValue(of));
  };

export type CollectProps<Input, Value> = {
  from: readonly Supplier<Input, Value>[];
  of: Input;
  /** The subject of the values: for another one, a supplier that threw is asked again. */
  subject: unknown;
  draw: (values: readonly Value[]) => ReactNode;
};

/** Draws with the values of several suppliers, in their order. One that throws is left out, and the others stay. */
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
