/** JSON text that a service has made already; sent as it is. */
export class ReadyJson {
  readonly json: string;
  readonly status: number;
  constructor(json: string, status: number) {
    this.json = json;
    this.status = status;
  }
}
