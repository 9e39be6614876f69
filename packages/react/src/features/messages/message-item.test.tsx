import type { VisibleMessage } from '@parley/client';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MessageItem } from './message-item.tsx';
import type { MessageItemActs } from './message-item-props.ts';

test('W1 a message outside a provider is refused in words: it would lack all its parts', () => {
  const message = {
    id: 'm',
    text: 'hello',
    type: 'regular',
    latest_reactions: [],
  } as unknown as VisibleMessage;
  const item = (
    <MessageItem
      message={message}
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
