import { Fragment, type ReactNode } from 'react';

/** Parts of one line with a dot between them. Each has its own direction: beside Latin letters, the 9 of a Hebrew date would go with those. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  return parts.filter(Boolean).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the line
    <Fragment key={index}>
      {index > 0 && ' · '}
      <bdi>{part}</bdi>
    </Fragment>
  ));
}
