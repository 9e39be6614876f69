export type Arguments = {
  /** A random server is killed this often; undefined: none is. */
  killSeconds: number | undefined;
};

/** The reason why nothing was started. Its message is for the person at the terminal. */
export class StartRefused extends Error {}

const usage = `Usage: npm run start:cluster [-- --kill[=SECONDS]]

  --kill           kills a random server every 20 s and starts it again
  --kill=SECONDS   the same, every so many seconds (1 to 3600)`;

const defaultKillSeconds = 20;

const readSeconds = (text: string): number => {
  const seconds = Number(text);
  if (!/^\d{1,4}$/.test(text) || seconds < 1 || seconds > 3600)
    throw new StartRefused(`--kill takes whole seconds from 1 to 3600, not "${text}".\n\n${usage}`);
  return seconds;
};

export const readArguments = (given: readonly string[]): Arguments => {
  let killSeconds: number | undefined;
  for (const argument of given) {
    if (argument === '--kill') killSeconds = defaultKillSeconds;
    else if (argument.startsWith('--kill=')) killSeconds = readSeconds(argument.slice('--kill='.length));
    else throw new StartRefused(`"${argument}" is not known here.\n\n${usage}`);
  }
  return { killSeconds };
};
