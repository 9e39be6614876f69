import { Component, type ReactNode } from 'react';

export type BoundaryProps = {
  /** The subject of the children: for another one they are drawn again after a failure. */
  of: unknown;
  /** Drawn in place of children that threw. */
  fallback: ReactNode;
  children: ReactNode;
};

type State = { of?: unknown; hasFailed: boolean };

/** Keeps an error in drawing its children from what is around it. */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: State): State {
    return { of, hasFailed: state.hasFailed && state.of === of };
  }

  /** Draws the children, or the fallback after one of them threw. */
  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
