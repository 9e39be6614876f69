import '@parley/react/theme.css';
import { Composer, type MessageListHandle, MessageListView, MessageRow } from '@parley/react';
import { createRef, memo, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterPaint, frameTimes } from './frames.ts';
import { type Item, type Scene, type Walk, walk } from './walk.ts';

const startedAt = Date.UTC(2026, 0, 1);
const words = 'the quick brown fox jumps over the lazy dog and then rests a while in the warm sun'.split(' ');

const textOf = (item: Item): string =>
  Array.from({ length: item.words }, (_, index) => words[(index * 7 + item.number) % words.length]).join(' ');

let draws = 0;

const Row = memo(function Row({ item }: { item: Item }) {
  draws += 1;
  return (
    <MessageRow
      authorId={`u${item.number % 3}`}
      authorName={`Person ${item.number % 3}`}
      text={`${item.id} ${textOf(item)}`}
      at={startedAt + item.number * 60_000}
      own={item.number % 3 === 0}
      startsGroup={item.number % 4 === 0}
      endsGroup={item.number % 4 === 3}
    >
      {item.image !== undefined && <img src={item.image} alt="" style={{ display: 'block' }} />}
    </MessageRow>
  );
});

const keyOf = (item: Item) => item.id;
const draw = (item: Item) => <Row item={item} />;

let nextNumber = 0;
let firstNumber = 0;
const make = (number: number): Item => ({ id: `m${number}`, number, words: 1 + ((number * 37) % 60) });
const after = (count: number): Item[] => Array.from({ length: count }, () => make(nextNumber++));
const before = (count: number): Item[] => {
  firstNumber -= count;
  return Array.from({ length: count }, (_, index) => make(firstNumber + index));
};

const list = createRef<MessageListHandle>();
let items: readonly Item[] = [];
let box = { inline: 720, block: 620 };
let redraw = () => {};

function Page() {
  const [, setCount] = useState(0);
  const [text, setText] = useState('');
  redraw = () => setCount((count) => count + 1);
  return (
    <div style={{ inlineSize: box.inline, blockSize: box.block, display: 'flex', flexDirection: 'column' }}>
      <MessageListView ref={list} items={items} getKey={keyOf} renderItem={draw} />
      <Composer value={text} onChange={setText} onSend={() => setText('')} />
    </div>
  );
}

const show = (next: readonly Item[]) => {
  items = next;
  flushSync(redraw);
};

const scene: Scene = {
  items: () => items,
  show,
  before,
  after,
  feed: () => document.querySelector<HTMLElement>('[role=feed]') ?? document.body,
  resize: (inline, block) => {
    box = { inline, block };
    flushSync(redraw);
  },
  jump: (key) => flushSync(() => void list.current?.scrollToKey(key)),
};

let unmount = () => {};

/** Mounts so many messages; the time until the last one is painted. */
const mount = async (count: number) => {
  unmount();
  const root = createRoot(document.getElementById('root') ?? document.body);
  unmount = () => root.unmount();
  await afterPaint();
  items = after(count);
  const from = performance.now();
  flushSync(() => root.render(<Page />));
  await afterPaint();
  const ms = performance.now() - from;
  const last = scene
    .feed()
    .querySelector(`[data-key="${items.at(-1)?.id}"]`)
    ?.getBoundingClientRect();
  const isSeen = (last?.bottom ?? 1e9) <= scene.feed().getBoundingClientRect().bottom + 1;
  return { ms, elements: scene.feed().querySelectorAll('*').length, isSeen };
};

/** A screen full of rows, with nothing around them: what the browser itself needs. */
const mountBare = async () => {
  unmount();
  const root = createRoot(document.getElementById('root') ?? document.body);
  unmount = () => root.unmount();
  await afterPaint();
  const rows = after(20);
  const from = performance.now();
  flushSync(() =>
    root.render(
      rows.map((item) => (
        <p key={item.id}>
          {item.id} {textOf(item)}
        </p>
      )),
    ),
  );
  await afterPaint();
  return performance.now() - from;
};

const mountAgain = async (count: number, times: number) => {
  const mounts: Awaited<ReturnType<typeof mount>>[] = [];
  for (let time = 0; time < times; time += 1) mounts.push(await mount(count));
  return mounts;
};

/** One message more in each frame; how long the frames took. */
const append = (count: number) => frameTimes(count, () => show([...items, ...after(1)]));

/** The number of rows that were drawn, or drawn again, since it was last asked for. */
const takeDraws = (): number => {
  const taken = draws;
  draws = 0;
  return taken;
};

const watchFrames = (count: number) => frameTimes(count, () => {});

const harness = {
  mount,
  mountAgain,
  mountBare,
  append,
  watchFrames,
  takeDraws,
  walk: (options: Walk) => walk(scene, options),
};
export type Harness = typeof harness;
Object.assign(window, { harness });
