import type { Environment } from '@parley/client';
import { createFaults, type TestChat, until } from '@parley/testkit';

/** A client whose answers of some calls wait: the server has given them, and what follows overtakes them. */
export const connectHolding = async (chat: TestChat, user: string) => {
  const faults = createFaults();
  let kind: RegExp | undefined;
  let waiting: (() => void)[] = [];
  const calls: string[] = [];
  const environment: Partial<Environment> = {
    ...faults.environment,
    fetch: async (url, init) => {
      const call = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
      calls.push(call);
      const reply = await faults.environment.fetch(url, init);
      if (kind?.test(call)) await new Promise<void>((release) => waiting.push(release));
      return reply;
    },
  };
  const { client } = await chat.connect(user, { environment });
  return {
    client,
    faults,
    calls,
    /** Begins a call, runs `act` once the server has answered it, and ends when the answer has come, too. */
    during: async (held: RegExp, begin: () => unknown, act: () => Promise<unknown>) => {
      kind = held;
      const begun = begin();
      await until(() => waiting.length > 0, `an answer to ${held}`);
      await act();
      kind = undefined;
      for (const release of waiting) release();
      waiting = [];
      await begun;
    },
  };
};
export type HoldingClient = Awaited<ReturnType<typeof connectHolding>>;
