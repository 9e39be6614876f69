import type { TestChat } from '@parley/testkit';

/** Threads of Ana's with a reply of Bo's each. */
export const createThreadsOf = async (chat: TestChat, cid: string, count: number): Promise<string[]> => {
  const parents: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await chat.admin.messages.send(cid, 'ana', { text: `parent ${index}` });
    await chat.admin.messages.send(cid, 'bo', { text: `reply ${index}`, parent_id: id });
    parents.push(id);
  }
  return parents;
};
