/** A request that was received whole. */
export interface RemoteRequest {
    readonly headers: Record<string, string>;
    readonly body: string;
}
export interface RemoteAnswer {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string;
}
/** The tools over a catalog in memory. */
export declare class RemoteTools {
    #private;
    constructor(version: string, report: (error: unknown) => void);
    /**
     * Takes these prices instead of those before.
     * @param snapshot the text of `/snapshot.json`
     */
    load(snapshot: string): void;
    /** Answers one message. Nothing of it is remembered. */
    answer({ headers, body }: RemoteRequest): Promise<RemoteAnswer>;
}
