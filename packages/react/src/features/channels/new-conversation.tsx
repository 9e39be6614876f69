import { useState } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { begunChannels } from './begun-channels.ts';
import type { NewConversationProps } from './new-conversation-flow.tsx';

// Loaded when somebody opens it: most sessions never do.
const NewConversationFlow = lazyPart(
  async () => (await import('./new-conversation-flow.tsx')).NewConversationFlow,
);

/** Finds people and begins a conversation with them, or makes a channel. */
export function NewConversation(props: NewConversationProps) {
  const [wasAsked, setWasAsked] = useState(props.open);
  if (props.open && !wasAsked) setWasAsked(true);
  const begun = useFeature(begunChannels);
  const onCreated = (cid: string) => {
    begun.set([cid, ...begun.get()]);
    props.onCreated(cid);
  };
  return wasAsked ? <NewConversationFlow {...props} onCreated={onCreated} /> : null;
}
