import type { PositionTrouble, SharedLocation } from '@parley/client/locations';
import { useReadable } from '../../chat/use-readable.ts';
import { useFormat, usePartTexts } from '../../i18n/text-context.tsx';
import { IconLocation } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useChannelTitle } from '../channels/use-channel.ts';
import { fill, type LocationsTexts, locationsEnglish } from './english.ts';
import styles from './sharing-banner.module.css';
import { useLocations } from './use-locations.ts';
import { useStopSharing } from './use-stop-sharing.ts';

export type SharingBannerProps = { texts?: Partial<LocationsTexts> };

/** Says, while one's own place is followed, where and for how long, and ends it. While it is mounted this device
 * goes on with what it shares, also after a reload. */
export function SharingBanner({ texts: given }: SharingBannerProps) {
  const texts = usePartTexts('locations', locationsEnglish, given);
  const { active } = useLocations();
  const shares = useReadable(active);
  return (
    <div role="status">
      {shares.map((share) => (
        <Line key={share.message_id} share={share} texts={texts} />
      ))}
    </div>
  );
}

const whyOf = (trouble: PositionTrouble, texts: LocationsTexts): string =>
  trouble === 'denied' ? texts.whyDenied : texts.whyUnavailable;

function Line({ share, texts }: { share: SharedLocation; texts: LocationsTexts }) {
  const format = useFormat();
  const { deviceId, trouble } = useLocations();
  const why = useReadable(trouble);
  const name = useChannelTitle(share.cid);
  const { stop, isBusy } = useStopSharing(share.message_id, texts);
  const isHere = share.created_by_device_id === deviceId;
  const time = format.time(share.end_at ?? share.updated_at);
  return (
    <div className={styles.line} data-trouble={(isHere && why) || undefined} data-share={share.message_id}>
      <IconLocation size={16} />
      <span>
        {fill(name === '' ? texts.sharingSomewhere : texts.sharing, { name, time })}
        {!isHere && ` (${texts.elsewhere})`}
        {isHere && why && `. ${fill(texts.paused, { why: whyOf(why, texts) })}`}
      </span>
      <button
        type="button"
        className={styles.stop}
        disabled={isBusy}
        aria-label={name === '' ? texts.stop : fill(texts.stopIn, { name })}
        onClick={stop}
      >
        {isBusy ? <Spinner size={14} /> : texts.stopShort}
      </button>
    </div>
  );
}
