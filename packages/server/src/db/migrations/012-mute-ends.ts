/** Mutes that end by themselves are looked for every second. */
export const muteEnds = {
  name: '012-mute-ends',
  sql: 'create index members_mute_ends on members (muted_until) where muted_until is not null;',
};
