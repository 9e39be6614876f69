import { Popover } from '@base-ui/react/popover';
import { selectUserName, type User } from '@parley/client';
import { useClient } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { backTo } from '../../ui/back-to.ts';
import { cx, kitRoot } from '../../ui/cx.ts';
import { useLayer } from '../../ui/layers.ts';
import popup from '../../ui/popup.module.css';
import styles from './profile-popover.module.css';

export type ProfilePopoverProps = { user: User; anchor: HTMLElement; onClose: () => void };

/** The profile of a user, beside their name. */
export function ProfilePopover({ user, anchor, onClose }: ProfilePopoverProps) {
  const text = useTexts(commonTexts);
  useLayer(true, onClose);
  const now = useReadable(useClient().users.get(user.id)) ?? user;
  const name = selectUserName(now);
  const title = 'title' in now ? now.title : undefined;
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className={popup.positioner}
          anchor={anchor}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
        >
          <Popover.Popup
            className={cx(kitRoot, popup.popup)}
            aria-label={name}
            finalFocus={backTo(() => anchor)}
          >
            <div className={styles.card}>
              <Avatar id={now.id} name={name} imageUrl={now.image} size="l" online={now.online} />
              <div className={styles.words}>
                <strong dir="auto">{name}</strong>
                {typeof title === 'string' && <span dir="auto">{title}</span>}
                <span>{text(now.online ? 'online' : 'offline')}</span>
              </div>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
