package dev.heddle.simulation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import dev.heddle.store.JobReader;
import dev.heddle.store.StoreException;

/** Reads again if connections break: what a workload observes has no faults. */
final class PatientReader {

    private static final int TRIES = 5;

    private PatientReader() {}

    static JobReader of(JobReader reader) {
        return (JobReader) Proxy.newProxyInstance(PatientReader.class.getClassLoader(), new Class<?>[]{JobReader.class},
                (_, method, arguments) -> read(reader, method, arguments));
    }

    private static Object read(JobReader reader, Method method, Object[] arguments) throws Throwable {
        for (int tries = 1;; tries++) {
            try {
                return method.invoke(reader, arguments);
            } catch (InvocationTargetException e) {
                if (tries == TRIES || !(e.getCause() instanceof StoreException)) {
                    throw e.getCause();
                }
            }
        }
    }
}
