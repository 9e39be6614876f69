/** The people of a direct conversation are kept with it, so that nobody else can be added. Those of conversations that exist are
 * who is in them, who made them and who wrote there, in whatever mix gives their key; where none does, the next query of its people
 * fills it in. */
export const directConversations = {
  name: '017b-direct-conversations',
  sql: `
alter table channels add column distinct_members text[] collate "C";

create function key_of_members(type text, ids text[]) returns text language sql immutable as $$
  select translate(rtrim(encode(sha256(convert_to(
    '["' || type || '",["' || array_to_string(ids, '","') || '"]]', 'UTF8')), 'base64'), '='), '+/', '-_')
$$;

update channels c set distinct_members = found.ids
from (
  select distinct on (channel.cid) channel.cid, mix.ids
  from channels channel
  cross join (values (false, false), (true, false), (false, true), (true, true)) as wanted (maker, authors)
  cross join lateral (
    select array_agg(id order by id collate "C") as ids from (
      select user_id as id from members where cid = channel.cid
      union select channel.created_by where wanted.maker and channel.created_by is not null
      union select user_id from messages where cid = channel.cid and wanted.authors
    ) people
  ) mix
  where channel.distinct_key is not null and key_of_members(channel.type, mix.ids) = channel.distinct_key
  order by channel.cid
) found
where found.cid = c.cid;

drop function key_of_members;

update channels set distinct_key = null where deleted_at is not null;
`,
};
