/** An invitation names who sent it. The number of members is of those who joined: invited people do not count until they accept. */
export const joinedMembers = {
  name: '037-joined-members',
  sql: `
alter table members add column invited_by text collate "C";
update channels c set member_count = (select count(*) from members m where m.cid = c.cid and not m.invited)
where exists (select from members m where m.cid = c.cid and m.invited);
`,
};
