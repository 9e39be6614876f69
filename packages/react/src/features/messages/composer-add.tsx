import { useText } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconPlus, IconPoll } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import { useChannel } from '../channels/use-channel.ts';
import { ComposerPoll } from '../polls/composer-poll.tsx';
import type { ComposerControls } from './use-composer.ts';

export type ComposerAddProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: (() => void) | undefined;
};

/** The menu beside the field: what can be added to a message, by what its author may do here. */
export function ComposerAdd(props: ComposerAddProps) {
  const { cid, composer } = props;
  const { draft, acts } = composer;
  const text = useText();
  const mayAsk = useChannel(cid, (state) => state?.capabilities.has('create-poll') ?? false);
  const actions: MenuAction[] = [];
  if (mayAsk && !draft.editing)
    actions.push({
      ...{ id: 'poll', label: text('createPoll'), icon: <IconPoll /> },
      onSelect: () => acts.askPoll(''),
    });
  return (
    <>
      {actions.length > 0 && (
        <Menu
          side="top"
          align="start"
          actions={actions}
          trigger={
            <IconButton label={text('addToMessage')}>
              <IconPlus />
            </IconButton>
          }
        />
      )}
      {mayAsk && <ComposerPoll {...props} />}
    </>
  );
}
