package dev.heddle.process.linux;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Calls the few functions of the Linux C library for which Java has no API. */
public final class Posix {

    /** Asks a process to end. */
    public static final int SIGTERM = 15;
    /** Ends a process. */
    public static final int SIGKILL = 9;

    private static final int WNOHANG = 1;
    private static final int PR_SET_DUMPABLE = 4;
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    // System calls added since Linux 5.1 have the same number on every architecture.
    private static final long PIDFD_SEND_SIGNAL = 424;
    private static final long PIDFD_OPEN = 434;

    private final MethodHandle kill;
    private final MethodHandle waitpid;
    private final MethodHandle prctl;
    private final MethodHandle syscall;
    private final MethodHandle close;

    /** Looks up the functions. Throws an exception if native calls are not available. */
    public Posix() {
        Linker linker = Linker.nativeLinker();
        this.kill = handle(linker, "kill",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        this.waitpid = handle(linker, "waitpid", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        this.prctl = handle(linker, "prctl",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        this.syscall = handle(linker, "syscall",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        this.close = handle(linker, "close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(Linker linker, String name, FunctionDescriptor shape, Linker.Option... options) {
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape, options);
    }

    /** Signals every process of a group. Returns whether there was one. */
    public boolean signalGroup(long group, int signal) {
        return group > 1 && call(() -> (int) kill.invokeExact((int) -group, signal)) == 0;
    }

    /**
     * Signals one process if the check confirms that it is the intended one. The pid is pinned to its process (pidfd)
     * before the check, so a process that reuses the pid meanwhile is never hit.
     */
    public boolean signal(long pid, int signal, BooleanSupplier isIntended) {
        int fd = (int) call(() -> (long) syscall.invokeExact(PIDFD_OPEN, pid, 0L, 0L, 0L));
        if (fd < 0) {
            // The kernel is older than 5.3 and has no pidfd, or the process has ended.
            return isIntended.getAsBoolean() && call(() -> (int) kill.invokeExact((int) pid, signal)) == 0;
        }
        try {
            return isIntended.getAsBoolean()
                    && call(() -> (long) syscall.invokeExact(PIDFD_SEND_SIGNAL, (long) fd, (long) signal, 0L, 0L)) == 0;
        } finally {
            call(() -> (int) close.invokeExact(fd));
        }
    }

    /** Reaps a child that nobody else waits for. Returns whether it had ended. */
    public boolean reap(long pid) {
        return call(() -> (int) waitpid.invokeExact((int) pid, MemorySegment.NULL, WNOHANG)) == pid;
    }

    /**
     * Starts or stops making this process the parent of the orphans among its descendants. Returns whether it worked.
     */
    public boolean adoptOrphans(boolean adopt) {
        return call(() -> (int) prctl.invokeExact(PR_SET_CHILD_SUBREAPER, adopt ? 1L : 0L, 0L, 0L, 0L)) == 0;
    }

    /** Makes this process unreadable for other processes of its user. Returns whether it worked. */
    public boolean preventInspection() {
        return call(() -> (int) prctl.invokeExact(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L)) == 0;
    }

    /**
     * Overwrites the values of environment variables in the memory where the kernel shows them to others. Java has its
     * own copy of the environment and is not affected.
     */
    @SuppressWarnings("restricted")
    public void blankEnvironment(Predicate<String> names) {
        AddressLayout pointer = ValueLayout.ADDRESS;
        MemorySegment list = Linker.nativeLinker().defaultLookup().findOrThrow("environ")
                .reinterpret(pointer.byteSize()).get(pointer, 0).reinterpret(Long.MAX_VALUE);
        for (long offset = 0;; offset += pointer.byteSize()) {
            MemorySegment entry = list.get(pointer, offset).reinterpret(Long.MAX_VALUE);
            if (entry.address() == 0) {
                return;
            }
            String text = entry.getString(0, StandardCharsets.ISO_8859_1);
            int equals = text.indexOf('=');
            if (equals > 0 && names.test(text.substring(0, equals))) {
                entry.asSlice(equals + 1, text.length() - equals - 1).fill((byte) 0);
            }
        }
    }

    private interface Call {
        long make() throws Throwable;
    }

    @SuppressWarnings("CatchingThrowable")
    private static long call(Call call) {
        try {
            return call.make();
        } catch (Throwable e) {
            // C functions throw nothing, so this is a wrong function descriptor.
            throw new AssertionError(e);
        }
    }
}
