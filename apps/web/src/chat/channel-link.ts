import { fromCid, type Message } from '@parley/client';

export const hrefOf = (cid: string): string => {
  const { type, id } = fromCid(cid);
  return `/c/${encodeURIComponent(type)}/${encodeURIComponent(id)}`;
};

/** The whole address of a message, to be passed on. */
export const linkOf = ({ cid, id, parent_id, show_in_channel }: Message): string => {
  const thread = show_in_channel ? undefined : parent_id;
  const search = new URLSearchParams(thread === undefined ? { m: id } : { m: id, thread });
  return `${location.origin}${hrefOf(cid)}?${search}`;
};
