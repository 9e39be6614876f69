/** The replies of a channel that its timeline does not show: without it a channel that is emptied reads every message there is. */
export const repliesOfChannel = {
  name: '021-replies-of-channel',
  sql: `
create index messages_hidden_replies on messages (cid, seq) where parent_id is not null and not show_in_channel;
`,
};
