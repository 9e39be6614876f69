/** The users who are online on other servers. */
export class Elsewhere {
  #serversOf = new Map<string, Set<string>>();
  #usersOn = new Map<string, Set<string>>();

  has(userId: string): boolean {
    return this.#serversOf.has(userId);
  }

  add(serverId: string, userId: string): void {
    const servers = this.#serversOf.get(userId) ?? new Set();
    this.#serversOf.set(userId, servers.add(serverId));
    const users = this.#usersOn.get(serverId) ?? new Set();
    this.#usersOn.set(serverId, users.add(userId));
  }

  remove(serverId: string, userId: string): void {
    const servers = this.#serversOf.get(userId);
    if (servers?.delete(serverId) && servers.size === 0) this.#serversOf.delete(userId);
    const users = this.#usersOn.get(serverId);
    if (users?.delete(userId) && users.size === 0) this.#usersOn.delete(serverId);
  }

  /** Forgets a server; returns the users who are on no other. */
  drop(serverId: string): string[] {
    const users = [...(this.#usersOn.get(serverId) ?? [])];
    for (const userId of users) this.remove(serverId, userId);
    return users.filter((userId) => !this.has(userId));
  }

  /** The users whom it held and who may be on no other server. */
  usersOn(serverId: string): string[] {
    return [...(this.#usersOn.get(serverId) ?? [])];
  }
}
