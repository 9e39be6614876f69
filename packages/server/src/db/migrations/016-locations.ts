/** Where people are. What changes with every step stands in no index, so that a step moves no index entries. */
export const locations = {
  name: '016-locations',
  sql: `
alter table messages add column has_location boolean not null default false;

create table shared_locations (
  message_id text collate "C" primary key references messages (id) on delete cascade,
  cid text collate "C" not null,
  user_id text collate "C" not null,
  created_by_device_id text collate "C" not null,
  latitude double precision not null,
  longitude double precision not null,
  end_at timestamptz(3),
  ended boolean not null,
  untold boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 50);
create index shared_locations_ending on shared_locations (end_at) where not ended;
create index shared_locations_channel on shared_locations (cid) where not ended;
create index shared_locations_own on shared_locations (user_id) where not ended;
`,
};
