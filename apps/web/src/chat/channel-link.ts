import { fromCid } from '@parley/client';

export const hrefOf = (cid: string): string => {
  const { type, id } = fromCid(cid);
  return `/c/${encodeURIComponent(type)}/${encodeURIComponent(id)}`;
};
