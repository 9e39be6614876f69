/** Channel roles become a list of their own, and one right over members becomes four. Rules that gave the old one give all
 * four; in teams, where every member had it, they bring others in and nothing more. */
export const channelRoles = {
  name: '017-channel-roles',
  sql: `
update members set channel_role = case when channel_role in ('admin', 'moderator') then 'channel_moderator' else 'channel_member' end
  where channel_role not in ('channel_member', 'channel_moderator');

update users set role = 'user' where role in ('channel_member', 'channel_moderator');

update channel_types t set permissions = (
  select jsonb_agg(
    case
      when rule ->> 'name' = 'Members pin, name and bring others in' and t.name = 'team' then
        rule || '{"name": "Members pin and bring others in", "resources": ["pin-message", "add-channel-members"]}'
      when rule ->> 'name' = 'Everyone rules over what they made' and rule -> 'roles' = '["user", "guest"]' then
        rule || '{"name": "Users rule over what they made", "roles": ["user"]}' || jsonb_build_object('resources',
          (rule -> 'resources') || '["add-channel-members", "remove-channel-members", "grant-channel-roles"]')
      when rule -> 'resources' ? 'update-channel-members' then
        rule || jsonb_build_object('resources',
          (rule -> 'resources') || '["add-channel-members", "remove-channel-members", "grant-channel-roles"]')
      else rule
    end order by place)
  from jsonb_array_elements(permissions) with ordinality as rules (rule, place)
) || coalesce((
  select jsonb_agg(rule || '{"name": "Guests look after what they made", "roles": ["guest"]}' || jsonb_build_object('resources',
    ((rule -> 'resources') - 'update-channel-members') || '["add-channel-members"]'))
  from jsonb_array_elements(permissions) as rules (rule)
  where rule ->> 'name' = 'Everyone rules over what they made' and rule -> 'roles' = '["user", "guest"]'
), '[]') where jsonb_array_length(permissions) > 0;
`,
};
