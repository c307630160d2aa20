export {
  acceptAgreement,
  withdrawAgreement,
  hasAgreement,
  finishWithdrawals,
  type RecordedAgreement,
} from "../db/identity/agreement.ts";
export { attachTraits } from "../db/identity/attach-traits.ts";
export type { Identity } from "../db/identity/read-identity.ts";
