/** Whether both versions hold the same words, so that nothing needs to be said. */
const covers = (longer: string, shorter: string): boolean => longer.startsWith(shorter);

/**
 * The text after two devices wrote on: every word of both is in it. `base` is the text that both began with.
 * Where one of them only added to it, the additions are put together; else the other's text goes below.
 */
export const mergeTexts = (base: string, local: string, remote: string): string => {
  if (covers(local, remote)) return local;
  if (covers(remote, local)) return remote;
  if (base !== '' && remote.includes(base)) return remote.replace(base, () => local);
  if (base !== '' && local.includes(base)) return local.replace(base, () => remote);
  return `${local}\n\n${remote}`;
};
