import type { PositionTrouble, SharedLocation } from '@parley/client/locations';
import { useChannel, useChannelTitle } from '../../chat/use-channel.ts';
import { useReadable } from '../../chat/use-readable.ts';
import type { TextOf } from '../../i18n/text.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { IconLocation } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './sharing-banner.module.css';
import { locationTexts } from './texts.ts';
import { useLocations } from './use-locations.ts';
import { useStopSharing } from './use-stop-sharing.ts';

/** Shows where and for how long the user's location is shared, with a button to stop. While it is mounted this device
 * keeps sharing, also after a reload. */
export function SharingBanner() {
  const { active } = useLocations();
  const shares = useReadable(active);
  return (
    <div role="status">
      {shares.map((share) => (
        <Line key={share.message_id} share={share} />
      ))}
    </div>
  );
}

const reasonOf = (trouble: PositionTrouble, text: TextOf<typeof locationTexts>): string =>
  trouble === 'denied' ? text('whyDenied') : text('whyUnavailable');

function Line({ share }: { share: SharedLocation }) {
  const text = useTexts(locationTexts);
  const format = useFormat();
  const { deviceId, trouble } = useLocations();
  const why = useReadable(trouble);
  const name = useChannelTitle(share.cid);
  const isNamed = useChannel(share.cid, (state) => state?.channel.name !== undefined);
  const { stop, isBusy } = useStopSharing(share.message_id);
  const isHere = share.created_by_device_id === deviceId;
  const time = format.time(share.end_at ?? share.updated_at);
  return (
    <div className={styles.line} data-trouble={(isHere && why) || undefined} data-share={share.message_id}>
      <IconLocation size={16} />
      <span>
        {text(name === '' ? 'sharingSomewhere' : isNamed ? 'sharingIn' : 'sharingWith', { name, time })}
        {!isHere && ` (${text('elsewhere')})`}
        {isHere && why && `. ${text('paused', { why: reasonOf(why, text) })}`}
      </span>
      <button
        type="button"
        className={styles.stop}
        disabled={isBusy}
        aria-label={name === '' ? text('stop') : text('stopIn', { name })}
        onClick={stop}
      >
        {isBusy ? <Spinner size={14} /> : text('stopShort')}
      </button>
    </div>
  );
}
