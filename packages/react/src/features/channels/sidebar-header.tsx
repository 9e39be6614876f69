import type { HTMLAttributes, ReactNode } from 'react';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import styles from './sidebar-header.module.css';

export type SidebarHeaderProps = {
  title: string;
  /** Shown at the start, for instance the reader's own avatar with a menu. */
  leading?: ReactNode;
  actions?: ReactNode;
  /** Shown under the title, for instance a search field. */
  children?: ReactNode;
};

/** The bar above the channel list. */
export function SidebarHeader({ title, leading, actions, children }: SidebarHeaderProps) {
  // Beside a conversation, its name is the first heading; alone on the screen there is no other.
  const Heading = useIsNarrow() ? 'h1' : 'h2';
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        {leading}
        <Heading className={styles.title}>{title}</Heading>
        <div className={styles.actions}>{actions}</div>
      </div>
      {children}
    </header>
  );
}

export type ChannelListProps = HTMLAttributes<HTMLDivElement>;

/** The scrolling list in the sidebar; its children are `ChannelListItem`s. */
export function ChannelList(props: ChannelListProps) {
  return <div {...props} className={styles.list} />;
}
