/** The preferences of one member for a channel. Hidden is derived: the channel had no newer message than `hidden_number`. */
export const channelPreferences = {
  name: '003-channel-preferences',
  sql: `
alter table members
  add column pinned_at timestamptz(3),
  add column archived_at timestamptz(3),
  add column hidden_number bigint,
  add column cleared_at timestamptz(3),
  add column muted_at timestamptz(3),
  add column muted_until timestamptz(3);
create index members_muted on members (user_id) where muted_at is not null;
`,
};
