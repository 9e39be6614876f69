import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Collect, supplier } from './collect.tsx';

const drawn = (from: Parameters<typeof Collect<string, string>>[0]['from']) =>
  renderToStaticMarkup(
    <Collect from={from} of="message" subject="m" draw={(values) => <p>{values.join(' ')}</p>} />,
  );

test('M4 the entries of other features are drawn once, in the order of their list', () => {
  const pin = supplier((of: string) => `${of}:pin`);
  const remind = supplier((of: string) => `${of}:remind`);

  expect(drawn([pin, remind])).toBe('<p>message:pin message:remind</p>');
  expect(drawn([remind, pin])).toBe('<p>message:remind message:pin</p>');
  expect(drawn([])).toBe('<p></p>');
});
