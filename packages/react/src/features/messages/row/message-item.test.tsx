import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { aMessage } from '../../../testing/records.ts';
import type { MessageItemActs } from '../message-item-props.ts';
import { MessageItem } from './message-item.tsx';

test('W1 a message outside a provider is refused in words: it would lack all its parts', () => {
  const item = (
    <MessageItem
      message={aMessage({ text: 'hello' })}
      own={false}
      startsGroup
      endsGroup
      abilities=""
      isOnline
      highlighted={false}
      acts={{} as MessageItemActs}
    />
  );

  expect(() => renderToStaticMarkup(item)).toThrow(
    'Parley parts belong inside a ChatProvider, hooks also inside a ClientProvider',
  );
});
