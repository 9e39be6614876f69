// Loaded before a server under test (`--import`): answers the runner's question for its memory, after a forced
// collection, so that garbage of the set-up is not taken for the price of a connection.

const collect = (globalThis as { gc?: (options: Record<string, string>) => void }).gc;

process.on('message', (message) => {
  if (message !== 'memory') return;
  for (let round = 0; round < 3; round++)
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ memory: { rss, heapUsed, external } });
});
// The question must not keep a server alive that wants to end.
process.channel?.unref();
// A runner that was killed may not leave one behind either.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
