package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Path;

/** A node in a JVM of its own, which starts one script and then does nothing until it is told something, or its input ends. */
final class NodeToKill {

    private NodeToKill() {}

    /** The directory of the registry, the isolation, where to run, and the script. */
    public static void main(String[] arguments) throws IOException {
        Processes processes = Processes.open(ProcessSettings.in(Path.of(arguments[0]))
                .isolation(Isolation.valueOf(arguments[1])).headroom(Headroom.none()));
        RunningProcess process = processes.start(Launch.of("job 1", "sh", "-c", arguments[3])
                .environment(ProcessFixture.PATH).inOwn(Path.of(arguments[2])));
        System.out.println("held by " + process.isolation());
        System.out.println("temp " + process.temp());
        System.out.println("up");
        process.exit().thenAccept(exit -> System.out.println("ended: " + exit));
        int _ = System.in.read();
        processes.close();
        System.out.println("closed");
    }
}
