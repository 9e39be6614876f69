import { checkNewLinks } from '../../access/links.ts';
import type { Place } from '../../access/place.ts';
import type { PollRow } from './rules.ts';

type Texts = Pick<PollRow, 'name' | 'description' | 'options' | 'data'>;

const textsOf = ({ name, description, options, data }: Texts): unknown[] => [
  name,
  description,
  options.map(({ text }) => text),
  data,
];

/** A poll is read with its message: a link in it needs the right to send links. Before it is sent nobody else reads it. */
export const checkPollLinks = (place: Place | undefined, before: Texts | undefined, after: Texts): void => {
  if (place) checkNewLinks(place, before && textsOf(before), textsOf(after));
};
