import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import moa.classifiers.core.driftdetection.ADWIN;

/**
 * Hands the numbers of a file, float64 in little-endian order, to MOA's ADWIN, and prints a line for each change:
 * its position, and the width and the mean of the window then; the last line is for the end of the file, and also
 * says how many CPU seconds all of it took.
 */
public class Adwin {
    public static void main(String[] arguments) throws Exception {
        var detector = new ADWIN(Double.parseDouble(arguments[1]));
        detector.setClock(Integer.parseInt(arguments[2]));
        var bytes = ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[0]))).order(ByteOrder.LITTLE_ENDIAN);
        var values = bytes.asDoubleBuffer();
        var processor = ManagementFactory.getThreadMXBean();
        long start = processor.getCurrentThreadCpuTime();
        int n = 0;
        for (; values.hasRemaining(); n++) {
            if (detector.setInput(values.get())) {
                System.out.println(n + " " + detector.getWidth() + " " + detector.getEstimation());
            }
        }
        double seconds = (processor.getCurrentThreadCpuTime() - start) / 1e9;
        System.out.println(n + " " + detector.getWidth() + " " + detector.getEstimation() + " " + seconds);
    }
}
