import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './segmented.module.css';

export type Segment<Id extends string> = { id: Id; label: string; icon?: ReactNode; content: ReactNode };

export type SegmentedProps<Id extends string> = {
  value: Id;
  onChange: (value: Id) => void;
  segments: readonly Segment<Id>[];
};

/** Tabs drawn as one control with a sliding thumb. */
export function Segmented<Id extends string>({ value, onChange, segments }: SegmentedProps<Id>) {
  return (
    <Tabs.Root value={value} onValueChange={(next: Id) => onChange(next)}>
      <Tabs.List className={styles.list}>
        {segments.map((segment) => (
          <Tabs.Tab key={segment.id} value={segment.id} className={styles.tab}>
            {segment.icon}
            {segment.label}
          </Tabs.Tab>
        ))}
        <Tabs.Indicator className={styles.thumb} />
      </Tabs.List>
      {segments.map((segment) => (
        <Tabs.Panel key={segment.id} value={segment.id} className={styles.panel}>
          {segment.content}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
