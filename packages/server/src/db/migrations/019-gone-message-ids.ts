/** The ids of messages that were deleted for good, as hashes of 16 bytes: a send under such an id would bring the message back for whoever still repeats it. */
export const goneMessageIds = {
  name: '019-gone-message-ids',
  sql: `
create table gone_message_ids (hash uuid primary key);

create function keep_gone_message_ids() returns trigger language plpgsql as $$
begin
  insert into gone_message_ids select md5(id)::uuid from gone on conflict do nothing;
  return null;
end $$;
create trigger messages_keep_gone_ids after delete on messages
  referencing old table as gone for each statement execute function keep_gone_message_ids();
`,
};
