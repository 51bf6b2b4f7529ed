package dev.heddle.external;

/** What can go wrong with a worker, or with the job on it. */
sealed interface Trouble {

    /** How many failures in a row are too many. */
    int TOO_MANY = 3;

    /** Its process ended, or can be told nothing any more, though nobody had asked it to. */
    record Exited() implements Trouble {}

    /** It did not answer a ping, this often in a row. */
    record HealthCheckFailed(int inARow) implements Trouble {}

    /** It did not start, or did not shake hands in time. */
    record NotStarted() implements Trouble {}

    /** Its job was told to stop, and it did not give it up. */
    record JobTimedOut() implements Trouble {}

    /** It said what is not in the protocol, this often in a row. */
    record ProtocolBroken(int inARow) implements Trouble {}

    /** It said that its job failed. */
    record JobFailed() implements Trouble {}

    /** It said that its job failed, and that it can do no more itself. */
    record Fatal() implements Trouble {}
}
