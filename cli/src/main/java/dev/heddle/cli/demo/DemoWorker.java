package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;

/** Starts a process that runs the orders in the store of a directory until it is killed. */
interface DemoWorker {

    int WORKERS = 2;

    /** The number of the first step that hangs. */
    int HANG_FROM = 8;

    Process start(Path directory) throws IOException;
}
