/** An invitation names who sent it. */
export const invitedBy = {
  name: '037-joined-members',
  sql: 'alter table members add column invited_by text collate "C"',
};

/** The number of members is of those who joined: invited people do not count until they accept. A step of its own: it reads the whole table,
 * and the new column keeps everybody from it meanwhile. The locks come first, so that the count sees who joined until then. */
export const joinedMembers = {
  name: '038-count-joined',
  sql: `
select from channels c where exists (select from members m where m.cid = c.cid and m.invited) order by cid for update;
update channels c set member_count = (select count(*) from members m where m.cid = c.cid and not m.invited)
where exists (select from members m where m.cid = c.cid and m.invited);
`,
};
