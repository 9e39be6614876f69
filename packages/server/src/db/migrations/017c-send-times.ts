/** When somebody last sent in a channel while it was slow. A message that is deleted for good takes its own time with it. */
export const sendTimes = {
  name: '017c-send-times',
  sql: `
create table send_times (
  cid text collate "C" not null references channels (cid) on delete cascade,
  user_id text collate "C" not null,
  sent_at timestamptz(3) not null,
  primary key (cid, user_id)
);
`,
};
