export { storeBatch, type StoreOutcome } from "../db/ingest/store-messages.ts";
