export { findExampleSubject, type ExampleSubject } from "../../db/ask/example-subjects.ts";
