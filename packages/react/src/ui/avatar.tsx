import { useState } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import styles from './avatar.module.css';
import { avatarHue, initials } from './avatar-look.ts';
import { cx } from './cx.ts';
import { IconHash } from './icons.tsx';

export type AvatarSize = 'xs' | 's' | 'm' | 'l' | 'xl';

export type AvatarProps = {
  /** The id of the person or channel: decides the colour behind the initials. */
  id: string;
  name: string;
  imageUrl?: string | undefined;
  /** Leave out to show no presence dot at all. */
  online?: boolean | undefined;
  size?: AvatarSize;
  /** `channel` shows a hash instead of initials when there is no image. */
  kind?: 'person' | 'channel';
};

/** A person or channel. Decorative: the name is expected beside it. */
export function Avatar({ id, name, imageUrl, online, size = 'm', kind = 'person' }: AvatarProps) {
  const text = useTexts(commonTexts);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const hasImage = imageUrl && imageUrl !== brokenUrl;

  return (
    <span
      className={cx(styles.avatar, kind === 'channel' && styles.channel)}
      data-size={size}
      data-hue={avatarHue(id)}
    >
      {hasImage ? (
        <img
          className={styles.image}
          src={imageUrl}
          alt=""
          draggable={false}
          onError={() => setBrokenUrl(imageUrl)}
        />
      ) : (
        <span className={styles.initials} aria-hidden="true">
          {kind === 'channel' ? <IconHash size={size === 'xs' ? 12 : 18} /> : initials(name)}
        </span>
      )}
      {online && <span className={styles.dot} role="img" aria-label={text('online')} />}
    </span>
  );
}

export type AvatarPerson = { id: string; name: string; imageUrl?: string | undefined };

export type GroupAvatarProps = { people: readonly AvatarPerson[]; size?: 's' | 'm' | 'l' };

/** Two faces of a conversation that has no picture of its own. */
export function GroupAvatar({ people, size = 'm' }: GroupAvatarProps) {
  return (
    <span className={styles.group} data-size={size}>
      {people.slice(0, 2).map((person) => (
        <Avatar key={person.id} id={person.id} name={person.name} imageUrl={person.imageUrl} size="xs" />
      ))}
    </span>
  );
}

export type AvatarStackProps = { people: readonly AvatarPerson[]; max?: number };

/** A short row of small overlapping faces. Decorative: the names are expected beside it. */
export function AvatarStack({ people, max = 4 }: AvatarStackProps) {
  return (
    <span className={styles.stack}>
      {people.slice(0, max).map((person) => (
        <Avatar key={person.id} id={person.id} name={person.name} imageUrl={person.imageUrl} size="xs" />
      ))}
      {people.length > max && (
        <span dir="ltr" className={styles.rest}>
          +{people.length - max}
        </span>
      )}
    </span>
  );
}
