package dev.heddle.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import com.sun.management.OperatingSystemMXBean;

/**
 * The machine that the figures were measured on.
 *
 * @param fileSystem of the databases; on tmpfs an fsync costs nothing
 * @param load the load average before the first round; 2.0 means that two cores are busy
 */
public record MachineInfo(int cores, long memoryMiB, String kernel, String java, String fileSystem, double load,
        Instant at) {

    public static MachineInfo here(Path databases) throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new MachineInfo(system.getAvailableProcessors(), system.getTotalMemorySize() >> 20,
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + system.getArch(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                Files.getFileStore(databases).type(), system.getSystemLoadAverage(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    public boolean syncsForFree() {
        return fileSystem.equals("tmpfs") || fileSystem.equals("ramfs");
    }

    public String line() {
        return "%d cores, %.1f GiB, %s, %s, %s, load %.2f".formatted(cores, memoryMiB / 1024.0, kernel, java,
                fileSystem, load);
    }
}
