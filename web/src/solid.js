// Shapes of contacts as solids of three.js, in the axes of their link.
import * as THREE from 'three';
import {cornersOf} from './motion.js';

function hullGeometry(shape) {
  const corners = cornersOf(shape), places = [];
  for (const face of shape.faces ?? [])
    for (let i = 1; i + 1 < face.length; ++i) places.push(...corners[face[0]], ...corners[face[i]], ...corners[face[i + 1]]);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// three.js has its tubes along y, contacts have them along z.
const upright = geometry => geometry.rotateX(Math.PI / 2);

function geometryOf(shape) {
  const {radius, half} = shape;
  switch (shape.kind) {
    case 'sphere': return new THREE.SphereGeometry(radius, 32, 20);
    case 'box': return new THREE.BoxGeometry(...half.map(edge => 2 * edge));
    case 'cylinder': return upright(new THREE.CylinderGeometry(radius, radius, 2 * half[2], 32));
    case 'capsule': return upright(new THREE.CapsuleGeometry(radius, 2 * half[2], 8, 24));
    case 'hull': return hullGeometry(shape);
    default: return null;
  }
}

// null for points and planes.
export function solid(shape, material) {
  const geometry = geometryOf(shape);
  if (!geometry) return null;
  const mesh = new THREE.Mesh(geometry, material);
  if (shape.kind === 'box' || shape.kind === 'hull')
    mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 20), new THREE.LineBasicMaterial({color: 0x222222, transparent: true, opacity: 0.6})));
  mesh.position.set(...shape.p);
  mesh.quaternion.set(shape.q[1], shape.q[2], shape.q[3], shape.q[0]);
  return mesh;
}
