/** Channel types that exist already get the rule that new ones are made with. */
export const commands = {
  name: '008-commands',
  sql: `
create table commands (
  name text collate "C" primary key,
  description text not null,
  args text not null,
  set text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

alter table messages add column marks jsonb;

update channel_types set permissions = permissions ||
  '[{"name": "Members call everyone", "action": "Allow", "priority": 400, "roles": ["channel_member"], "resources": ["mention-everyone"]}]'::jsonb
  where name in ('messaging', 'team', 'gaming', 'commerce');
`,
};
