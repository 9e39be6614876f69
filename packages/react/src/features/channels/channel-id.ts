/** A channel id that reads like the name of the channel and is unique. */
export const channelIdFrom = (name: string, random: () => number = Math.random): string => {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  const tail = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, '0');
  return words === '' ? tail : `${words}-${tail}`;
};
