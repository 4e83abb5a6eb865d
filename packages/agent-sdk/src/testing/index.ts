/** A fake host and scripted peers, for the tests of agents. */
export { type FakeApi, fakeApi, type FakeApiOptions, type HostCall, type HostScript } from './fake-api.ts'
export { FakePeer, type PeerScript, type TestMessage } from './fake-peer.ts'
export { settle } from './settle.ts'
